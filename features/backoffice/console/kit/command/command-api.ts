import { z } from 'zod'
import type { Endpoint } from '#platform/shared/contract.ts'
import { commandsContract, commandView, previewReply } from '../../../contract-commands.console.ts'
import { createConsoleApi } from '../api.ts'

const commonErrorList = { method: 'POST', access: 'operator', summary: '', input: z.looseObject({}), errors: [] } as const
const buildEndpoints = (name: string) => ({
  preview: { ...commonErrorList, path: `/operator/do/${name}/preview`, reply: previewReply } satisfies Endpoint,
  ask: { ...commonErrorList, path: `/operator/do/${name}`, reply: commandView, idempotency: 'required' } as const satisfies Endpoint,
})

const apisByName = new Map<string, ReturnType<typeof createCommandApi>>()
const createCommandApi = (name: string) => createConsoleApi(buildEndpoints(name))

/** The two calls of a command: preview and request. */
export function getCommandApi(name: string): ReturnType<typeof createCommandApi> {
  const calls = apisByName.get(name) ?? createCommandApi(name)
  apisByName.set(name, calls)
  return calls
}

const { catalogue, undo, approve, refuse, question, answer, withdraw, one, list, rules } = commandsContract
export const commandsApi = createConsoleApi({ catalogue, undo, approve, refuse, question, answer, withdraw, one, list, rules })
