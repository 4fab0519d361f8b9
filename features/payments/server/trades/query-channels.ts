import type { Deps } from '#platform/server/feature.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { buildPayerMark } from '#features/risk/server/door.ts'
import type { RiskMark } from '#features/risk/server/door.ts'
import { findChannelById, createChannelTools } from '../vendors/index.ts'
import type { TradeFact, TradeRef } from '../vendors/port.ts'
import { selectTrades } from './data-attempts.ts'
import type { TradeRow } from './data-attempts.ts'

/** A channel's answer about one trade; without a fact when the query failed. */
export interface ChannelAnswer {
  readonly trade: TradeRow
  readonly fact: TradeFact | undefined
  /** Reason for the missing fact, for operators. */
  readonly why?: string
  /** Payers as hashes, by the channel's payment number. */
  readonly payers?: ReadonlyMap<string, RiskMark>
}

/** Queries the channels about every trade of an order; results in the order of the trades, newest first. */
export async function queryChannels(deps: Deps, orderId: bigint): Promise<ChannelAnswer[]> {
  const trades = await selectTrades(deps.db, orderId)
  return Promise.all(trades.map((trade) => queryChannel(deps, trade)))
}

function toAnswer(deps: Deps, trade: TradeRow, fact: TradeFact | undefined): ChannelAnswer {
  const paid = fact?.payments.flatMap(({ channelTxn, payer }) => (payer ? [[channelTxn, buildPayerMark(deps, trade.channelType, payer)] as const] : [])) ?? []
  return { trade, fact, payers: new Map(paid) }
}

export function toTradeRef(trade: TradeRow): TradeRef {
  return { tradeNo: trade.tradeNo, openedAt: trade.openedAt, ...(trade.channelRef ? { channelRef: trade.channelRef } : {}) }
}

async function queryChannel(deps: Deps, trade: TradeRow): Promise<ChannelAnswer> {
  try {
    return toAnswer(deps, trade, await findChannelById(deps, trade.channelType)?.query(createChannelTools(deps), toTradeRef(trade)))
  } catch (error) {
    deps.log.warn({ err: error, tradeNo: trade.tradeNo }, 'a channel could not be asked about a trade')
    return { trade, fact: undefined, why: asSupplierError(error).message }
  }
}
