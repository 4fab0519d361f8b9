import type { Deps } from '#platform/server/feature.ts'
import { outcomeOf } from '#platform/shared/supplier-error.ts'
import { payerMark } from '#features/risk/server/door.ts'
import type { Mark } from '#features/risk/server/door.ts'
import { channelById, toolsFor } from '../vendors/index.ts'
import type { TradeFact, TradeRef } from '../vendors/port.ts'
import { tradesOf } from './data-attempts.ts'
import type { TradeRow } from './data-attempts.ts'

/** A channel's answer about one trade; without a fact when the query failed. */
export interface Answer {
  readonly trade: TradeRow
  readonly fact: TradeFact | undefined
  /** Reason why there is no fact, for operators. */
  readonly why?: string
  /** Payers as hashes, by the channel's number of the payment. */
  readonly payers?: ReadonlyMap<string, Mark>
}

/** Queries the channels about every trade of an order; answers in the order of the trades, newest first. */
export async function askChannels(deps: Deps, orderId: bigint): Promise<Answer[]> {
  const trades = await tradesOf(deps.db, orderId)
  return Promise.all(trades.map((trade) => askChannel(deps, trade)))
}

function answerOf(deps: Deps, trade: TradeRow, fact: TradeFact | undefined): Answer {
  const paid = fact?.payments.flatMap(({ channelTxn, payer }) => (payer ? [[channelTxn, payerMark(deps, trade.channel_type, payer)] as const] : [])) ?? []
  return { trade, fact, payers: new Map(paid) }
}

export function tradeRef(trade: TradeRow): TradeRef {
  return { tradeNo: trade.trade_no, openedAt: trade.opened_at, ...(trade.channel_ref ? { channelRef: trade.channel_ref } : {}) }
}

async function askChannel(deps: Deps, trade: TradeRow): Promise<Answer> {
  try {
    return answerOf(deps, trade, await channelById(deps.config, trade.channel_type)?.query(toolsFor(deps), tradeRef(trade)))
  } catch (error) {
    deps.log.warn({ err: error, tradeNo: trade.trade_no }, 'a channel could not be asked about a trade')
    return { trade, fact: undefined, why: outcomeOf(error).message }
  }
}
