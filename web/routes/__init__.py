"""The addresses that the site answers, a module for each part of it."""
