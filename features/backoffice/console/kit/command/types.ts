import type { ReactNode } from 'react'
import type { CommandView } from '../../../contract-commands.console.ts'
import type { Shown } from '../../../words.ts'

/** What a button asks for. */
export interface CommandWish {
  /** `account.freeze` */
  readonly name: string
  /** What is known already; the rest is asked for in the dialog. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Shown below the title: whose account, which order. */
  readonly about?: ReactNode
  /** The act cannot be taken back: said in a frame of its own. */
  readonly warning?: ReactNode
  /** The deciding button's words, from the preview: "批准，付出 ¥9,984.60". */
  readonly label?: (shown: Shown) => string
  readonly danger?: boolean
  readonly reasonCode?: string
  /** After it was done or sent for approval. */
  readonly onDone?: (view: CommandView) => void
}
