import type { z } from 'zod'
import type { AnyHandler, Binding, Ctx, Feature, TxCtx } from '#platform/server/feature.ts'
import type { OperatorCommand } from '#platform/server/operator-command.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import type { Errors } from '#platform/shared/errors.ts'
import { pick } from '#platform/shared/pick.ts'
import { commandRequestFields, commandView, previewReply } from '../../contract-commands.console.ts'
import { backofficeErrors } from '../../errors.ts'
import { isOperatorProven } from '#platform/server/operator-proof.ts'
import { requestCommand } from './request-command.ts'
import type { CommandRequestInput } from './request-command.ts'
import { prepareCommand, previewCommand } from './preview.ts'
import type { PreparedCommand } from './preview.ts'
import { buildCommandView } from './view.ts'

/** Generates two endpoints per command: preview and request. Their errors are those of the command's feature. */
export function generateCommandRoutes(features: readonly Feature[]): Binding[] {
  return features.flatMap(({ commands = [], errors }) => commands.map((command) => buildBinding(command, { ...errors, ...backofficeErrors })))
}

function buildBinding(command: OperatorCommand, errors: Errors): Binding {
  const taken = Object.keys(commandRequestFields).filter((field) => field in command.input.shape)
  if (taken.length) throw new Error(`${command.name} declares a reserved input field: ${taken.join(', ')}`)
  const declared = Object.keys({ ...commonErrors, ...errors })
  const common = { method: 'POST', access: 'operator', permission: command.permission, errors: declared } as const
  const preview: Endpoint = {
    ...{ ...common, path: `/operator/do/${command.name}/preview`, summary: `${command.summary} (preview)` },
    ...{ input: command.input, reply: previewReply },
  }
  const ask: Endpoint = {
    ...{ ...common, path: `/operator/do/${command.name}`, summary: command.summary, idempotency: 'required' },
    ...{ input: command.input.extend(commandRequestFields), reply: commandView },
  }
  return {
    contract: { preview, ask },
    errors,
    handlers: { preview: (ctx, input) => previewCommand(ctx, ctx.operator!, { command, sent: input }), ask: createRequestHandler(command) },
  }
}

type RequestInput = Record<string, unknown> & Pick<CommandRequestInput, 'reason' | 'reasonCode' | 'expects' | 'link'>

/** Handler of a command request. External calls are made before the idempotency key's transaction opens; the result is keyed by the input object. */
function createRequestHandler(command: OperatorCommand): AnyHandler {
  const prepared = new WeakMap<object, PreparedCommand>()
  const run = async (ctx: TxCtx, input: unknown): Promise<unknown> => {
    const sent = input as RequestInput
    const { id, by, sessionId } = ctx.operator!
    const row = await requestCommand(ctx, ctx.tx, {
      command: prepared.get(sent) ?? (await prepareCommand(ctx, command, { sent: pickCommandInput(command, sent), reason: sent.reason })),
      asking: {
        ...{ ...pick(sent, 'expects', 'reason', 'reasonCode', 'link') },
        ...{ operatorId: id, via: by, viaId: sessionId, isProven: isOperatorProven(ctx) },
      },
    })
    return buildCommandView(ctx, row)
  }
  return Object.assign(run, {
    before: async (ctx: Ctx, input: unknown) => {
      const sent = input as RequestInput
      prepared.set(sent, await prepareCommand(ctx, command, { sent: pickCommandInput(command, sent), reason: sent.reason }))
    },
  })
}

function pickCommandInput(command: OperatorCommand, sent: Readonly<Record<string, unknown>>): z.output<OperatorCommand['input']> {
  const asking = new Set(Object.keys(commandRequestFields))
  return Object.fromEntries(Object.entries(sent).filter(([field]) => !asking.has(field)))
}
