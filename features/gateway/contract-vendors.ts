/** How pages show a model vendor. Each writes it in its own folder (server/vendors/<name>/shown.ts); pages take it from `web/door.ts`. */
export interface ShownVendor {
  readonly id: string
  /** Common name; that of its models if it is better known than the company. */
  readonly label: string
  /** Chart color, which also sets the position in lists and legends. Other vendors get gray, 8. */
  readonly color: 1 | 2 | 3 | 4 | 5 | 6 | 7
  /** Search terms besides id and label: products, their Chinese names in pinyin, and initials. */
  readonly words: readonly string[]
  /** True for a vendor of chat models: shown on the landing page and in every chart's legend. */
  readonly talks: boolean
  /** Id of the model in code examples shown to customers. */
  readonly example?: string
  /** Clients made by or for the vendor, by the id of their snippet. They are listed first. */
  readonly clients?: readonly string[]
  /** Index among its current models, newest first, of the one that a landing page calculates with; defaults to the second. */
  readonly everyday?: number
}
