import type { ReactNode } from 'react'
import type { Params } from '../address.ts'

export interface ListColumn<R> {
  readonly key: string
  readonly header: string
  readonly cell: (row: R) => ReactNode
  /** Figures go right. */
  readonly align?: 'left' | 'right'
  /** The server sorts by it: pressed once ascending, again descending. */
  readonly sort?: boolean
  /** A CSS width, for columns that must not breathe. */
  readonly width?: string
  /** On a phone: the line's head, what stands at its right, or not at all; others are name and value. */
  readonly mobile?: 'title' | 'primary' | 'hidden'
  /** Left out while a sheet stands beside the list: the sheet says it too. */
  readonly aside?: boolean
  /** The cell as text in a file; left out of the file when absent. */
  readonly csv?: (row: R) => string
}

export type ListFilter =
  | { readonly name: string; readonly label: string; readonly kind: 'pick'; readonly options: readonly { readonly value: string; readonly label: string }[] }
  | { readonly name: string; readonly label: string; readonly kind: 'text' | 'day' }

/** A tab above the list: a set of filters with a name, and how many rows it has. */
export interface ListView {
  readonly id: string
  readonly label: string
  readonly count?: number | undefined
  readonly set: Params
}

/** A chip: one value of one filter, with its count; pressed again it goes. */
export interface ListChip {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly count?: number | undefined
}

export interface ListPage<R> {
  readonly rows: readonly R[]
  /** Where the next page begins; null at the end. */
  readonly next: string | null
}

export interface ListInput {
  readonly after?: string
  readonly limit: number
  readonly [filter: string]: string | number | undefined
}

export interface ListOf<R> {
  /** Names the list in queries, saved views and files. */
  readonly name: string
  readonly title: string
  readonly note?: ReactNode
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly load: (input: ListInput, signal: AbortSignal) => Promise<ListPage<R>>
  readonly rowKey: (row: R) => string
  readonly columns: readonly ListColumn<R>[]
  readonly filters?: readonly ListFilter[]
  readonly views?: readonly ListView[]
  readonly chips?: readonly ListChip[]
  /** The words in the search field; without it there is none. It goes to the server as `q`. */
  readonly search?: string
  /** Beside the list: the row that is open (`?open=`), which may not be among those that were read. */
  readonly sheet?: (open: { readonly id: string; readonly row: R | undefined; readonly close: () => void }) => ReactNode
  /** The list's own path at the server, which writes all its rows into a spreadsheet; only where the address is what it takes. */
  readonly file?: string
  /** What can be done to marked rows at once (X): a command that has a twin for many, and its input from a row. */
  readonly marks?: readonly { readonly command: string; readonly input: (row: R) => Readonly<Record<string, unknown>> | undefined }[]
  /** Instead of a sheet: where E and Enter lead. */
  readonly onOpen?: (row: R) => void
  /** E takes it too, before it opens. */
  readonly take?: (row: R) => void
  /** More keys, for the row that the cursor is at while no sheet stands beside the list: the sheet has its own. */
  readonly rowKeys?: Readonly<Record<string, (row: R) => void>>
  /** Names of the address that say which list it is, and filter nothing. */
  readonly fixed?: readonly string[]
  readonly empty: { readonly title: string; readonly body?: string }
  /** Rows that somebody else works on, and the like. */
  readonly dim?: (row: R) => boolean
  /** Asks again by itself while somebody looks. */
  readonly pollMs?: number
}
