"""What an operator runs beside the service: the machine examined, the service broken on purpose."""
