const NANO = 1_000_000_000n
const CENT = NANO / 100n

/** Parses decimal text to exact nano-dollars. Reimplemented on purpose: the oracle shares no arithmetic with the product. */
export function parseOracleNano(text: string): bigint {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? failParse(text)
  const value = BigInt(whole) * NANO + BigInt(part.padEnd(9, '0'))
  return sign ? -value : value
}

function failParse(text: string): never {
  throw new Error(`no amount: ${text}`)
}

/** Decimal text without trailing zeros, as in API responses. */
export function formatOracleNano(nano: bigint): string {
  const size = nano < 0n ? -nano : nano
  const part = String(size % NANO)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${nano < 0n ? '-' : ''}${size / NANO}${part ? `.${part}` : ''}`
}

const roundUpToCent = (nano: bigint): bigint => ((nano + CENT - 1n) / CENT) * CENT

interface OrderedAmount {
  readonly amount: string
  readonly discount?: string
}
interface ChannelFees {
  readonly feePercent: string
  readonly fixedFee: string
  readonly rate: string
  readonly payCurrency: string
}

/**
 * Fee, total and the amount charged by the channel, from the channel's own row: the discount is subtracted first, the fee is rounded up to
 * a cent.
 */
export function computeOrderCharge(
  { amount, discount = '0' }: OrderedAmount,
  { feePercent, fixedFee, rate }: ChannelFees,
): { fee: string; total: string; payAmount: string } {
  const base = parseOracleNano(amount) - parseOracleNano(discount)
  const fee = roundUpToCent((base * parseOracleNano(feePercent)) / (100n * NANO)) + parseOracleNano(fixedFee)
  const total = base + fee
  const [whole, part] = [(total * parseOracleNano(rate)) / NANO, CENT]
  const minor = (whole + part - 1n) / part
  return { fee: formatOracleNano(fee), total: formatOracleNano(total), payAmount: `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}` }
}
