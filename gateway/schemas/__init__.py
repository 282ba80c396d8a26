"""The types of every body, query and answer: they validate, and OpenAPI is made of them."""
