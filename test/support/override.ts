/** The same object with some methods of its own. */
export function override<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(inner, key) {
      const value: unknown = Reflect.get(key in methods ? methods : inner, key);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}
