/** Copies the named properties. A reply is built from its row with it, so that a new field is named in the contract and in the row alone. */
export function pick<T extends object, const K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>
}

/** Names of an object's own properties, such as the fields of a schema's `shape`. */
export const namesOf = <T extends object>(of: T): readonly (keyof T & string)[] => Object.keys(of) as (keyof T & string)[]
