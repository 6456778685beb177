"""Bundles: zip archives that strangers hand in.

``bundle.read`` judges one in memory and gives its files; ``shelf`` keeps unpacked ones on
disk for the bots that run. Nothing of a refused bundle is ever written anywhere.
"""
