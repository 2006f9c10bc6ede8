"""The trained scorer at work, in numpy alone."""
