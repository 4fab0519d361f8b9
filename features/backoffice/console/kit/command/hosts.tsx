import { lazy, Suspense } from 'react'
import { useCommandStore } from './command-store.ts'
import { useOperatorStepUpStore } from './step-up-store.ts'

const CommandDialog = lazy(() => import('./command-dialog.tsx').then((module) => ({ default: module.CommandDialog })))
const StepUp = lazy(() => import('./step-up.tsx').then((module) => ({ default: module.OperatorStepUp })))

/** The dialogs in which something is done; their code comes with the first of them. */
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
