"""The six runtimes: readers, locators and catalogues against what was recorded and against the real programs."""
