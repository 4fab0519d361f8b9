import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { toast } from '#ui/layers/toast.ts'
import { runWithStepUp } from '../kit/command/step-up-store.ts'

/** Sends one decision at a time, with step-up authentication when required. */
export function useCommandDecision(onDecided: () => void) {
  const { run, isRunning } = useSubmit()
  return {
    isRunning,
    run: (call: () => Promise<unknown>, said: string) =>
      void run(async () => {
        await runWithStepUp(call)
        toast.success(said)
        await queryClient.invalidateQueries()
        onDecided()
      }).then((error) => {
        if (error) toast.error(error.message)
      }),
  }
}
export type CommandDecision = ReturnType<typeof useCommandDecision>
