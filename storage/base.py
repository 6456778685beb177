"""What all the tables share: types, names of constraints, the metadata."""

from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, Double, Integer, LargeBinary, MetaData, String
from sqlalchemy.orm import DeclarativeBase

Id = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers only INTEGER keys by itself


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        int: BigInteger,
        float: Double,
        str: String,
        bytes: LargeBinary,
        dict[str, Any]: JSON,
        list[Any]: JSON,
    }
