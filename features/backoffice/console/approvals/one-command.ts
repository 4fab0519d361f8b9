import type { ReplyOf } from '#platform/shared/contract.ts'
import type { commandsContract } from '../../contract-commands.console.ts'

export type OneCommand = ReplyOf<typeof commandsContract.one>
