"""From files to problems and back."""
