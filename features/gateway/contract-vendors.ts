/** How pages show a model vendor. Each writes it in its own folder (server/vendors/<name>/shown.ts); pages take it from `web/door.ts`. */
export interface ShownVendor {
  readonly id: string
  /** What people call it: its models' name where that is better known than the company. */
  readonly label: string
  /** Its own among the chart colours, which is its place in lists and legends too. Any other vendor is grey, 8. */
  readonly color: 1 | 2 | 3 | 4 | 5 | 6 | 7
  /** What else people type, beside id and label: its products, their Chinese names in pinyin and its initials. */
  readonly words: readonly string[]
  /** Its models talk: it stands on the landing page and in every chart's legend. */
  readonly talks: boolean
  /** The model that code shown to customers asks first, by its id. */
  readonly example?: string
  /** Clients that it makes itself, or that are made for its form, by the id of their snippet: these stand first. */
  readonly clients?: readonly string[]
  /** Which of its current models, newest first, a landing page reckons with; the second unless told. */
  readonly everyday?: number
}
