"""The one public door: a Flask app over the services' calls. No SQL, no rules."""
