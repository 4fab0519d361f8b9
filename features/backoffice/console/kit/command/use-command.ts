import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { REASON_CODES } from '../../../words.ts'
import type { CommandEffects } from '../../../words.ts'
import { commandsApi, getCommandApi } from './command-api.ts'
import { runWithStepUp } from './step-up-store.ts'
import { listInputFields, buildCommandInput } from './schema.ts'
import { addUndo } from './undo-store.ts'
import type { CommandView } from '../../../contract-commands.console.ts'
import type { CommandRequest } from './types.ts'

const MIN_REASON_LENGTH = 10

export function useCommandCatalogue() {
  return useQuery({ queryKey: ['catalogue'], queryFn: () => commandsApi.catalogue(), staleTime: 300_000 })
}

export interface MovedEffects {
  readonly expected: CommandEffects
  readonly now: CommandEffects
}

/** State of a command in its dialog: input, preview, reason, and result. */
export function useCommand(wish: CommandRequest) {
  const { data: catalogue } = useCommandCatalogue()
  const command = catalogue?.commands.find(({ name }) => name === wish.name)
  const [typed, setTyped] = useState<Readonly<Record<string, unknown>>>({})
  const [reasonCode, setReasonCode] = useState<string>(wish.reasonCode ?? REASON_CODES[0])
  const [reason, setReason] = useState('')
  const [link, setLink] = useState('')
  const [done, setDone] = useState<CommandView>()
  const [moved, setMoved] = useState<MovedEffects>()
  const submit = useSubmit()

  const given = wish.input ?? {}
  const fields = command ? listInputFields(command.input) : []
  const open = fields.filter(({ name }) => !(name in given))
  const input = command && buildCommandInput(fields, { ...typed, ...given })
  const preview = useQuery({
    queryKey: ['preview', wish.name, JSON.stringify(input ?? null)],
    queryFn: ({ signal }) => getCommandApi(wish.name).preview(input!, { signal }),
    enabled: input !== undefined && command?.may === true && done === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })
  const level = preview.data?.level
  const lacksReason = level !== undefined && level !== 'free' && reason.trim().length < MIN_REASON_LENGTH
  const refusal = preview.data?.shown.refusal ?? undefined

  const ask = () =>
    submit.run(async () => {
      const { expects, shown } = preview.data!
      try {
        const view = await runWithStepUp(() =>
          getCommandApi(wish.name).ask({ ...input, expects, reasonCode, reason: reason.trim(), ...(link.trim() ? { link: link.trim() } : {}) }),
        )
        setDone(view)
        if (view.canBeUndone) addUndo({ no: view.no, name: view.name, subject: view.subject, onUndone: undefined })
        wish.onDone?.(view)
        void queryClient.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'preview' })
      } catch (error) {
        const now =
          isApiError(error) && error.errorName === 'COMMAND_MOVED'
            ? (error.data as { difference?: { now?: CommandEffects } } | undefined)?.difference?.now
            : undefined
        if (!now) throw error
        setMoved({ expected: shown, now })
      }
    })
  const lookAgain = () => {
    setMoved(undefined)
    submit.clear()
    void preview.refetch()
  }
  return {
    ...{ command, isKnown: catalogue !== undefined, open, typed, preview, level, refusal, done, moved, ask, lookAgain },
    onType: (name: string, value: unknown) => {
      setMoved(undefined)
      setTyped((old) => ({ ...old, [name]: value }))
    },
    ...{ reasonCode, setReasonCode, reason, setReason, link, setLink, lacksReason, isRunning: submit.isRunning, failure: submit.failure },
    canAsk: preview.data !== undefined && !preview.isFetching && !refusal && level !== 'forbidden' && !lacksReason && !moved && !done,
  }
}
export type OpenCommand = ReturnType<typeof useCommand>
