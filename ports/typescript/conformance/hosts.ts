/** Builds, in JavaScript, the host values that inputs of cases have as recipes: `{"$host": "nan"}` and the like. */

/** A host value that cannot be built here; the message says which. */
export class Undelivered extends Error {}

// A recipe is whatever the corpus says.
type Recipe = Readonly<Record<string, any>>;
type Properties = Record<string, unknown>;

class Instance {}

/** The input with every recipe in it built. */
export function build(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(build);
  if (typeof value !== "object" || value === null) return value;
  const recipe = value as Recipe;
  if (Object.hasOwn(recipe, "$host")) {
    const host = HOSTS[recipe["$host"] as string];
    if (host === undefined) throw new Undelivered(recipe["$host"] as string);
    return host(recipe);
  }
  const object: Properties = {};
  for (const [key, child] of Object.entries(recipe)) own(object, key, build(child));
  return object;
}

/** Defines a property of the object itself, `__proto__` too. */
function own(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

function getter(recipe: Recipe, get: (value: Properties) => unknown): unknown {
  const object = build(recipe["value"]) as Properties;
  const values = { ...object };
  Object.defineProperty(object, recipe["on"] as string, { enumerable: true, configurable: true, get: () => get(values) });
  return object;
}

function repeated(times: number, start: unknown, wrap: (value: unknown) => unknown): unknown {
  let value = start;
  for (let time = 0; time < times; time++) value = wrap(value);
  return value;
}

function lyingArray(recipe: Recipe): unknown {
  const array = build(recipe["items"]) as unknown[];
  const nothing = function* (): Generator<never> {};
  return Object.assign(array, { [Symbol.iterator]: nothing, entries: nothing, values: nothing, map: () => [], forEach: () => undefined });
}

function objectOf(recipe: Recipe): unknown {
  const object: Properties = {};
  for (const [key, value] of recipe["entries"] as [unknown, unknown][]) {
    const name = build(key);
    if (typeof name !== "string") throw new Undelivered("a key that is no string");
    own(object, name, build(value));
  }
  return object;
}

export const HOSTS: Readonly<Record<string, (recipe: Recipe) => unknown>> = {
  nan: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  minusInfinity: () => Number.NEGATIVE_INFINITY,
  integer: (recipe) => Number("9".repeat(recipe["digits"] as number)),
  string: (recipe) => String.fromCharCode(...(recipe["utf16"] as string[]).map((unit) => Number.parseInt(unit, 16))),
  bytes: () => new Uint8Array([1, 2]),
  date: () => new Date(0),
  function: () => () => undefined,
  instance: () => new Instance(),
  stringLike: (recipe) => new String(recipe["value"]),
  numberLike: (recipe) => new Number(recipe["value"]),
  objectOf,
  selfObject: (recipe) => {
    const object: Properties = {};
    own(object, recipe["key"] as string, object);
    return object;
  },
  selfArray: () => {
    const array: unknown[] = [];
    array.push(array);
    return array;
  },
  shared: (recipe) => {
    const value = build(recipe["value"]);
    return [value, repeated((recipe["depth"] as number | undefined) ?? 0, value, (inner) => [inner])];
  },
  doubling: (recipe) => repeated(recipe["levels"] as number, [], (inner) => [inner, inner]),
  nested: (recipe) => {
    const isObject = recipe["kind"] === "object";
    return repeated((recipe["depth"] as number) - 1, isObject ? {} : [], (inner) => (isObject ? { k: inner } : [inner]));
  },
  throws: (recipe) =>
    getter(recipe, () => {
      throw new Error("this property cannot be read");
    }),
  changes: (recipe) => {
    let reads = 0;
    return getter(recipe, (values) => (reads++ === 0 ? values[recipe["on"] as string] : build(recipe["then"])));
  },
  lyingArray,
  sparse: (recipe) => Object.assign(new Array<unknown>(recipe["length"] as number), build(recipe["present"])),
  undefined: () => undefined,
  noPrototype: (recipe) => Object.setPrototypeOf(build(recipe["value"]), null) as unknown,
  dead: () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};
