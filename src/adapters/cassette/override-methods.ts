/** The same object with some of its methods replaced; the others still run on the object itself, private fields and all. */
export function overrideMethods<T extends object>(object: T, overrides: Partial<T>): T {
  return new Proxy(object, {
    get(inner, key) {
      if (Object.hasOwn(overrides, key)) return overrides[key as keyof T];
      const value: unknown = Reflect.get(inner, key, inner);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}
