"""The payloads of every call and every event between services: one module a service, no logic."""
