import type { ReactNode } from 'react'
import type { AddressParams } from '../address.ts'

export interface ListColumn<R> {
  readonly key: string
  readonly header: string
  readonly cell: (row: R) => ReactNode
  /** Right-aligned, for figures. */
  readonly align?: 'left' | 'right'
  /** The server can sort by this column: the first click sorts ascending, the second descending. */
  readonly sort?: boolean
  /** CSS width, for columns that must not grow or shrink. */
  readonly width?: string
  /** Position on phones: the row's head, its right side, or hidden; other columns become name and value. */
  readonly mobile?: 'title' | 'primary' | 'hidden'
  /** Hidden while a sheet is open beside the list, because the sheet shows it too. */
  readonly aside?: boolean
  /** Cell value in exported files; the column is not exported if absent. */
  readonly csv?: (row: R) => string
}

export type ConsoleListFilter<Name extends string = string> =
  | { readonly name: Name; readonly label: string; readonly kind: 'pick'; readonly options: readonly { readonly value: string; readonly label: string }[] }
  | { readonly name: Name; readonly label: string; readonly kind: 'text' | 'day' }

/** A tab above the list: a named set of filters and its row count. */
export interface ListView {
  readonly id: string
  readonly label: string
  readonly count?: number | undefined
  readonly set: AddressParams
}

/** A filter chip: one value of one filter and its count; a second click removes it. */
export interface ListChip<Name extends string = string> {
  readonly name: Name
  readonly value: string
  readonly label: string
  readonly count?: number | undefined
}

export interface ListPage<R> {
  readonly rows: readonly R[]
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null
}

/** Input of a list as text from the URL; the default unless the input of the list's endpoint is named. */
export interface ListInput {
  readonly after?: string
  readonly limit: number
  readonly [filter: string]: string | number | undefined
}

/** A list of rows `R`. `I` is the input of the endpoint that loads them (`SentOf`): filters and chips are fields of it. */
export interface ListDefinition<R, I extends object = ListInput> extends ListParts<R, I> {
  readonly load: (input: I, signal: AbortSignal) => Promise<ListPage<R>>
}

/** The part of a list that is drawn, however its rows are loaded. */
export interface ListParts<R, I extends object = ListInput> {
  /** Names the list in queries, saved views and files. */
  readonly name: string
  readonly title: string
  readonly note?: ReactNode
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly rowKey: (row: R) => string
  readonly columns: readonly ListColumn<R>[]
  readonly filters?: readonly ConsoleListFilter<Extract<keyof NoInfer<I>, string>>[]
  readonly views?: readonly ListView[]
  readonly chips?: readonly ListChip<Extract<keyof NoInfer<I>, string>>[]
  /** Placeholder of the search field, whose text is sent as `q`; no field if absent. */
  readonly search?: string
  /** Renders the sheet of the open row (`?open=`), which may not be among the loaded rows. */
  readonly sheet?: (open: { readonly id: string; readonly row: R | undefined; readonly close: () => void }) => ReactNode
  /** Server path that exports all rows as XLSX, with the permission `lists.export`; only if the URL's filters are its input. CSV comes from the columns. */
  readonly file?: string
  /** Bulk commands for rows marked with X: a command with a bulk variant, and a function that makes its input from a row. */
  readonly marks?: readonly { readonly command: string; readonly input: (row: R) => Readonly<Record<string, unknown>> | undefined }[]
  /** Called by E and Enter instead of opening a sheet. */
  readonly onOpen?: (row: R) => void
  /** Called by E before it opens the row, to take the item. */
  readonly take?: (row: R) => void
  /** Extra shortcuts for the row under the cursor while no sheet is open; sheets have their own. */
  readonly rowKeys?: Readonly<Record<string, (row: R) => void>>
  /** URL parameters that select the list and are not filters. */
  readonly fixed?: readonly string[]
  readonly empty: { readonly title: string; readonly body?: string }
  /** Shows the row dimmed, for example because another operator works on it. */
  readonly dim?: (row: R) => boolean
  /** Polling interval while the tab is attended. */
  readonly pollMs?: number
}
