"""Other people's tools: learning environments, other engines, notebooks. Each module needs what it is named after."""
