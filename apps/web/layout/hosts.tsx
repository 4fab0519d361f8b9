import { lazy, Suspense, type ComponentType } from 'react'
import { useOpenedDialogs, type DialogName } from '#platform/web/dialogs.ts'
import { useConfirmStore } from '#ui/confirm.ts'
import { useToastStore } from '#ui/toast.ts'

/** What floats above the pages is loaded when it is first asked for, and stays mounted from then on. */
const dialogs: Record<DialogName, ComponentType> = {
  auth: lazy(() => import('#features/account/web/index.tsx').then((m) => ({ default: m.AuthModal }))),
  recharge: lazy(() => import('./recharge-host.tsx').then((m) => ({ default: m.RechargeHost }))),
}
const ToastHost = lazy(() => import('#ui/toast-host.tsx').then((m) => ({ default: m.ToastHost })))
const ConfirmHost = lazy(() => import('#ui/confirm-host.tsx').then((m) => ({ default: m.ConfirmHost })))

export function Hosts() {
  const opened = useOpenedDialogs()
  const toasted = useToastStore((state) => state.toast !== undefined)
  const asked = useConfirmStore((state) => state.used)
  return (
    <Suspense>
      {[...opened].map((name) => {
        const Host = dialogs[name]
        return <Host key={name} />
      })}
      {toasted ? <ToastHost /> : null}
      {asked ? <ConfirmHost /> : null}
    </Suspense>
  )
}
