import { Suspense } from 'react'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { useIdle } from '#platform/web/use-idle.ts'
import { useKeyDialogs } from './key-dialogs.ts'

const KeyLayers = lazyExtra(() => import('./key-layers.tsx').then((m) => m.KeyLayers))

/** Hosts the key dialogs on every page that opens one. They load when the page is idle, or on the first request before that. */
export function KeyHosts({ balance }: { readonly balance: string | undefined }) {
  const asked = useKeyDialogs((state) => state.asked)
  const idle = useIdle()
  return asked || idle ? (
    <Suspense>
      <KeyLayers balance={balance} />
    </Suspense>
  ) : null
}
