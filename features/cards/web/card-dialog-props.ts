import type { CardRow } from '../contract.ts'

export interface CardDialogProps {
  readonly card: CardRow
  readonly open: boolean
  readonly onClose: () => void
}
