"""Problems and their answers as read-only data, and their checkers."""
