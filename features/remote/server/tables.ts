/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface RemoteNodesRow {
  readonly id: string
  readonly url: string
  readonly places: number
  readonly seenAt: Date
  readonly refusal: string
}
