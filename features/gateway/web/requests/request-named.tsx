import { shanghaiDay } from '#platform/shared/time.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { timeDisplay } from '#platform/web/time.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { OpenRow, RequestRow } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'

export interface RequestListProps {
  readonly rows: readonly RequestRow[]
  /** Calls under way: they stand first. */
  readonly open: readonly OpenRow[]
  /** How far this clock is from the server's, in milliseconds. */
  readonly ahead: number
  readonly chosen: string
  readonly onShow: (id: string) => void
}

export type Named = Pick<RequestRow, 'model' | 'askedModel' | 'vendor' | 'keyName'>
export const served = (row: Named) => row.model || row.askedModel || '–'

export function Model({ row }: { readonly row: Named }) {
  const t = useTexts(gatewayTexts)
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <VendorDot vendor={row.vendor} />
        <code className="num min-w-0 text-13 font-medium [overflow-wrap:anywhere] whitespace-normal">{served(row)}</code>
      </span>
      <span className="block max-w-64 truncate pl-4 text-12 text-fg-3">
        {row.keyName}
        {row.model && row.askedModel ? ` · ${t('callAskedFor', { model: row.askedModel })}` : ''}
      </span>
    </>
  )
}

/** Today's calls by their second, earlier ones with their day. */
export const when = (at: string) =>
  shanghaiDay(Date.parse(at)) === shanghaiDay(Date.now()) ? timeDisplay(at, 'second').slice(11) : timeDisplay(at, 'second').slice(5)
