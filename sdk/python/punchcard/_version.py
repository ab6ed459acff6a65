"""Of the API, and so of its client."""

VERSION = "0.1.0"
