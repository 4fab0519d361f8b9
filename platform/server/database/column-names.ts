import type { Client, ClientBase } from 'pg'

const known = new Map<string, string>()

/** `order_no` to `orderNo`: the name of a column as the property of a row. Cached; the schema has some two thousand names. */
export function toPropertyName(column: string): string {
  const name = known.get(column) ?? column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  known.set(column, name)
  return name
}

/** `orderNo` to `order_no`: for statements that are built from the keys of an object. */
export const toColumnName = (property: string): string => property.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())

interface RowDescription {
  readonly fields: { name: string }[]
}

/** Renames the columns of every result on this connection, once a statement and before pg builds rows. Keys inside JSON columns keep their names. */
export function renameColumns<C extends ClientBase>(client: C): C {
  const { connection } = client as unknown as Client & { connection: NodeJS.EventEmitter }
  connection.prependListener('rowDescription', ({ fields }: RowDescription) => {
    for (const field of fields) field.name = toPropertyName(field.name)
  })
  return client
}
