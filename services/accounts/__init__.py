"""Who someone is: handles, passwords, sessions."""
