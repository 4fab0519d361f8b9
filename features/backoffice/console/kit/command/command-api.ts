import { z } from 'zod'
import type { Endpoint } from '#platform/shared/contract.ts'
import { commandsContract, commandView, previewReply } from '../../../contract-commands.console.ts'
import { consoleApi } from '../api.ts'

const common = { method: 'POST', access: 'operator', summary: '', input: z.looseObject({}), errors: [] } as const
const endpointsOf = (name: string) => ({
  preview: { ...common, path: `/operator/do/${name}/preview`, reply: previewReply } satisfies Endpoint,
  ask: { ...common, path: `/operator/do/${name}`, reply: commandView, idempotency: 'required' } as const satisfies Endpoint,
})

const known = new Map<string, ReturnType<typeof make>>()
const make = (name: string) => consoleApi(endpointsOf(name))

/** The two calls of a command. */
export function callsOf(name: string): ReturnType<typeof make> {
  const calls = known.get(name) ?? make(name)
  known.set(name, calls)
  return calls
}

const { catalogue, undo, approve, refuse, question, answer, withdraw, one, list, rules } = commandsContract
export const commandsApi = consoleApi({ catalogue, undo, approve, refuse, question, answer, withdraw, one, list, rules })
