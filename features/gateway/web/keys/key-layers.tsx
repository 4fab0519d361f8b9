import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { KeyReadyDialog } from './key-ready-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'

/** Every dialog about a key. */
export function KeyLayers({ balance }: { readonly balance: string | undefined }) {
  return (
    <>
      <KeyDialog balance={balance} />
      <RotateDialog />
      <TestDialog />
      <DeleteKeyDialog />
      <KeyReadyDialog />
    </>
  )
}
