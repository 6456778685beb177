"""The use cases behind the pages: one function a page, from a reading transaction to what it shows."""
