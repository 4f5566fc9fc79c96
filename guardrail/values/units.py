"""Units of measurement: the words that name them, Wikidata's ids, and how they convert.

A unit belongs to a dimension ("length") and has a factor to that dimension's base unit (the metre); temperature also
has an offset. Units of different dimensions are never compared. Money converts to nothing: each currency is a dimension
of its own, because a rate of exchange is no fact about the sum.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from guardrail.types import Node

__all__ = ["AGE", "ORDINAL", "PERCENT", "UNITS", "Unit", "unit_named", "unit_of", "unit_pattern"]


@dataclass(frozen=True, slots=True)
class Unit:
    """`base = number * factor + offset`. `words`: surface forms; the short ones are read only after digits."""

    node: Node
    dimension: str
    factor: Decimal
    words: tuple[str, ...]
    offset: Decimal = Decimal(0)

    def label(self, number: str) -> str:
        """The unit behind a number: "1 metre", "381 metres", "90 degrees Celsius"."""
        one = self.node.label
        if number == "1":
            return one
        first, space, rest = one.partition(" ")
        plurals = (f"{one}s", f"{first}s{space}{rest}", f"{one}es", one.replace("foot", "feet"))
        return next((plural for plural in plurals if plural in self.words), one)


def _unit(id_: str, label: str, dimension: str, factor: str, words: str, offset: str = "0") -> Unit:
    return Unit(Node(id_, label), dimension, Decimal(factor), tuple(words.split("|")), Decimal(offset))


AGE = Node("Q24564698", "years old")
PERCENT = Node("Q11229", "percent")
# Ours: the number of a place in an order ("the 44th president"), which is never a count.
ORDINAL = Node("ordinal", "ordinal")

UNITS: tuple[Unit, ...] = (
    _unit("Q11573", "metre", "length", "1", "m|metre|metres|meter|meters"),
    _unit("Q828224", "kilometre", "length", "1000", "km|kilometre|kilometres|kilometer|kilometers|kms"),
    _unit("Q174728", "centimetre", "length", "0.01", "cm|centimetre|centimetres|centimeter|centimeters"),
    _unit("Q174789", "millimetre", "length", "0.001", "mm|millimetre|millimetres|millimeter|millimeters"),
    _unit("Q3710", "foot", "length", "0.3048", "ft|foot|feet|′"),
    _unit("Q218593", "inch", "length", "0.0254", "in|inch|inches|″"),
    _unit("Q482798", "yard", "length", "0.9144", "yd|yard|yards|yds"),
    _unit("Q253276", "mile", "length", "1609.344", "mi|mile|miles"),
    _unit("Q93318", "nautical mile", "length", "1852", "nmi|nautical mile|nautical miles"),
    _unit(
        "Q1811", "astronomical unit", "length", "149597870700", "au|AU|astronomical unit|astronomical units"
    ),
    _unit(
        "Q531", "light-year", "length", "9460730472580800", "ly|light-year|light-years|light year|light years"
    ),
    _unit("Q12129", "parsec", "length", "30856775814913673", "pc|parsec|parsecs"),
    _unit(
        "Q25343",
        "square metre",
        "area",
        "1",
        "m²|m2|sq m|square metre|square metres|square meter|square meters",
    ),
    _unit(
        "Q712226",
        "square kilometre",
        "area",
        "1000000",
        "km²|km2|sq km|square kilometre|square kilometres|square kilometer|square kilometers",
    ),
    _unit("Q232291", "square mile", "area", "2589988.110336", "sq mi|mi²|square mile|square miles"),
    _unit("Q857027", "square foot", "area", "0.09290304", "sq ft|ft²|square foot|square feet"),
    _unit("Q35852", "hectare", "area", "10000", "ha|hectare|hectares"),
    _unit("Q81292", "acre", "area", "4046.8564224", "acre|acres"),
    _unit("Q25517", "cubic metre", "volume", "1", "m³|m3|cubic metre|cubic metres|cubic meter|cubic meters"),
    _unit("Q4243638", "cubic kilometre", "volume", "1000000000", "km³|km3|cubic kilometre|cubic kilometres"),
    _unit("Q11582", "litre", "volume", "0.001", "L|litre|litres|liter|liters"),
    _unit(
        "Q2332346", "millilitre", "volume", "0.000001", "ml|mL|millilitre|millilitres|milliliter|milliliters"
    ),
    _unit("Q23925413", "US gallon", "volume", "0.003785411784", "gal|gallon|gallons"),
    _unit("Q11570", "kilogram", "mass", "1", "kg|kilogram|kilograms|kilogramme|kilogrammes|kilos|kilo"),
    _unit("Q41803", "gram", "mass", "0.001", "g|gram|grams|gramme|grammes"),
    _unit("Q3241121", "milligram", "mass", "0.000001", "mg|milligram|milligrams"),
    _unit("Q1645498", "microgram", "mass", "0.000000001", "µg|mcg|microgram|micrograms"),
    _unit("Q191118", "tonne", "mass", "1000", "t|tonne|tonnes|metric ton|metric tons"),
    _unit("Q47083", "short ton", "mass", "907.18474", "short ton|short tons|ton|tons"),
    _unit("Q100995", "pound", "mass", "0.45359237", "lb|lbs|pound|pounds"),
    _unit("Q48013", "ounce", "mass", "0.028349523125", "oz|ounce|ounces"),
    _unit("Q483261", "dalton", "atomic mass", "1", "Da|dalton|daltons|u|amu|atomic mass units"),
    _unit("Q11574", "second", "time", "1", "s|sec|secs|second|seconds"),
    _unit("Q7727", "minute", "time", "60", "min|mins|minute|minutes"),
    _unit("Q25235", "hour", "time", "3600", "h|hr|hrs|hour|hours"),
    _unit("Q573", "day", "time", "86400", "day|days"),
    _unit("Q23387", "week", "time", "604800", "week|weeks"),
    _unit("Q5151", "month", "time", "2629746", "month|months"),
    _unit("Q577", "year", "time", "31556952", "yr|yrs|year|years"),
    _unit("Q182429", "metre per second", "speed", "1", "m/s|metres per second|meters per second"),
    _unit(
        "Q180154",
        "kilometre per hour",
        "speed",
        "0.27777777777777777778",
        "km/h|kph|kmh|kilometres per hour|kilometers per hour",
    ),
    _unit(
        "Q3674704",
        "kilometre per second",
        "speed",
        "1000",
        "km/s|kilometres per second|kilometers per second",
    ),
    _unit("mile per second", "mile per second", "speed", "1609.344", "mi/s|miles per second"),
    _unit(
        "Q1051665",
        "metre per second squared",
        "acceleration",
        "1",
        "m/s²|m/s2|m/s^2|metres per second squared|meters per second squared",
    ),
    _unit("Q211256", "mile per hour", "speed", "0.44704", "mph|miles per hour"),
    _unit("Q128822", "knot", "speed", "0.51444444444444444444", "kn|knots"),
    _unit("Q11579", "kelvin", "temperature", "1", "K|kelvin|kelvins"),
    _unit(
        "Q25267", "degree Celsius", "temperature", "1", "°C|degrees Celsius|degree Celsius|Celsius", "273.15"
    ),
    _unit(
        "Q42289",
        "degree Fahrenheit",
        "temperature",
        "0.55555555555555555556",
        "°F|degrees Fahrenheit|degree Fahrenheit|Fahrenheit",
        "255.37222222222222222",
    ),
    _unit("Q11229", "percent", "ratio", "1", "%|percent|per cent"),
    _unit("Q25236", "watt", "power", "1", "W|watt|watts"),
    _unit("Q3320608", "kilowatt", "power", "1000", "kW|kilowatt|kilowatts"),
    _unit("Q6982035", "megawatt", "power", "1000000", "MW|megawatt|megawatts"),
    _unit("Q39369", "hertz", "frequency", "1", "Hz|hertz"),
    _unit("Q2143992", "kilohertz", "frequency", "1000", "kHz|kilohertz"),
    _unit("Q732707", "megahertz", "frequency", "1000000", "MHz|megahertz"),
    _unit("Q3276763", "gigahertz", "frequency", "1000000000", "GHz|gigahertz"),
    _unit("Q8799", "byte", "information", "1", "byte|bytes"),
    _unit("Q79735", "megabyte", "information", "1000000", "MB|megabyte|megabytes"),
    _unit("Q79741", "terabyte", "information", "1000000000000", "TB|terabyte|terabytes"),
    _unit("Q79738", "gigabyte", "information", "1000000000", "GB|gigabyte|gigabytes"),
    _unit("Q25250", "volt", "voltage", "1", "V|volt|volts"),
    _unit("Q44395", "pascal", "pressure", "1", "Pa|pascal|pascals"),
    _unit("Q103510", "bar", "pressure", "100000", "bar|bars"),
    _unit("Q177974", "standard atmosphere", "pressure", "101325", "atm|atmospheres"),
    _unit("Q25269", "joule", "energy", "1", "joule|joules"),
    _unit("Q12438", "newton", "force", "1", "newton|newtons"),
    _unit("Q28390", "degree", "angle", "1", "°|degree|degrees"),
    _unit(
        "Q13147228",
        "gram per cubic centimetre",
        "density",
        "1000",
        "g/cm³|g/cm3|g/cm^3|g/cc|grams per cubic centimetre|grams per cubic centimeter|gram per cubic centimeter",
    ),
    _unit(
        "Q844211",
        "kilogram per cubic metre",
        "density",
        "1",
        "kg/m³|kg/m3|kg/m^3|kilograms per cubic metre|kilograms per cubic meter",
    ),
    _unit("Q24564698", "years old", "age", "1", "years old|year old|year-old|years of age"),
    _unit("ordinal", "ordinal", "order", "1", "ordinal"),
    _unit(
        "Q4917",
        "United States dollar",
        "USD",
        "1",
        "US$|$|USD|dollar|dollars|US dollar|US dollars|U.S. dollars",
    ),
    _unit("Q4916", "euro", "EUR", "1", "€|EUR|euro|euros"),
    _unit("Q25224", "pound sterling", "GBP", "1", "£|GBP|pounds sterling|British pounds"),
    _unit("Q8146", "Japanese yen", "JPY", "1", "¥|JPY|yen"),
    _unit("Q80524", "Indian rupee", "INR", "1", "₹|INR|rupee|rupees|Indian rupees"),
    _unit("Q25344", "Swiss franc", "CHF", "1", "CHF|Swiss franc|Swiss francs"),
)

_BY_ID = {unit.node.id: unit for unit in UNITS}
_BY_WORD = {word: unit for unit in UNITS for word in unit.words}
_BY_FOLDED = {word.casefold(): unit for unit in UNITS for word in unit.words if len(word) > 3}
_BY_LABEL = {unit.node.label.casefold(): unit for unit in UNITS}


def unit_named(words: str) -> Unit | None:
    """The unit that `words` name; short symbols are case-sensitive ("MW" is no "mw"), names are not."""
    words = re.sub(r"\s+", " ", words.strip())
    return _BY_WORD.get(words) or _BY_FOLDED.get(words.casefold()) or _BY_LABEL.get(words.casefold())


def unit_of(node: Node) -> Unit | None:
    """The unit behind a node of the graph: by id, else by its label."""
    return _BY_ID.get(node.id) or unit_named(node.label)


@lru_cache(maxsize=1)
def unit_pattern() -> str:
    """A regular expression (no groups) for the words of all units but symbols that are written before a number."""
    words = {word for unit in UNITS if unit.node != ORDINAL for word in unit.words}
    words -= {"$", "US$", "€", "£", "¥", "₹", "K", "u", "t", "s", "h", "V", "au", "pc", "ordinal", "in"}
    symbols = sorted((w for w in words if not w[-1].isalnum()), key=len, reverse=True)
    names = sorted((w for w in words if w[-1].isalnum()), key=len, reverse=True)
    escaped = [re.escape(w).replace(r"\ ", r"\s+") for w in names]
    folded = [f"(?i:{e})" if len(w) > 3 else e for w, e in zip(names, escaped, strict=True)]
    # "in" is an inch only where no phrase can follow: "3 in 5", "1.4 billion in 2020".
    inch = r"in(?=\s*(?:[,.;)×x]|$))"
    return f"(?:(?:{'|'.join(folded)}|{inch})(?![\\w²³]|/[a-z])|(?:{'|'.join(map(re.escape, symbols))}))"
