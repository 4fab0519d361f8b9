import type { ReplyOf } from '#platform/shared/contract.ts'
import type { commandsContract } from '../../contract-commands.console.ts'

export type CommandDetail = ReplyOf<typeof commandsContract.one>
