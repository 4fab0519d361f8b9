import type { ReactNode } from 'react'
import type { CommandView } from '../../../contract-commands.console.ts'
import type { CommandEffects } from '../../../words.ts'

/** A command to open, with its known input. */
export interface CommandRequest {
  /** `account.freeze` */
  readonly name: string
  /** Input that is already set; the dialog asks for the rest. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Shown below the title, such as the account or the order. */
  readonly about?: ReactNode
  /** Shown in a warning box if the command cannot be undone. */
  readonly warning?: ReactNode
  /** Label of the confirm button, built from the preview: "批准，付出 ¥9,984.60". */
  readonly label?: (shown: CommandEffects) => string
  readonly danger?: boolean
  readonly reasonCode?: string
  /** Called when the command is done or was sent for approval. */
  readonly onDone?: (view: CommandView) => void
}
