"""What a property is by its name and its values, without a database: types, units, literals, IRIs, complete lists."""
