"""What routes shall be besides short, and what that costs."""
