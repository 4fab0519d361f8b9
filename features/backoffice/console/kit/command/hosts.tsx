import { lazy, Suspense } from 'react'
import { useCommandStore } from './command-store.ts'
import { useOperatorStepUpStore } from './step-up-store.ts'

const CommandDialog = lazy(() => import('./command-dialog.tsx').then((module) => ({ default: module.CommandDialog })))
const StepUp = lazy(() => import('./step-up.tsx').then((module) => ({ default: module.OperatorStepUp })))

/** Hosts of the command dialogs, whose code is loaded when the first one opens. */
export function CommandHosts() {
  const asked = useCommandStore((state) => state.asked)
  const isProving = useOperatorStepUpStore(({ answer }) => answer !== undefined)
  return (
    <Suspense>
      {asked ? <CommandDialog key={asked.turn} wish={asked.wish} /> : null}
      {isProving ? <StepUp /> : null}
    </Suspense>
  )
}
