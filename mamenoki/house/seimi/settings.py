"""Checks that the programs share."""


def check_whole(**ranges: tuple[object, int, int]) -> None:
    """ValueError unless each setting's value is an int from its low to its high."""
    for name, (value, low, high) in ranges.items():
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"{name} is {value!r}; it must be an int from {low} to {high}")


def check_switches(**switches: object) -> None:
    """ValueError unless each setting's value is True or False."""
    for name, value in switches.items():
        if type(value) is not bool:
            raise ValueError(f"{name} is {value!r}; it must be true or false")
