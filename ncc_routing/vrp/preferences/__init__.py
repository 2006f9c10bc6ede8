"""What routes are to be beside short, and what that costs."""
