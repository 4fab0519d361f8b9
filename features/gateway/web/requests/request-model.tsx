import { toShanghaiDay } from '#platform/shared/time.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { VendorDot } from '../vendors/vendor-dot.tsx'
import type { OpenApiCall, RequestRow } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'

export interface RequestListProps {
  readonly rows: readonly RequestRow[]
  /** Calls under way: they stand first. */
  readonly open: readonly OpenApiCall[]
  /** How far this clock is from the server's, in milliseconds. */
  readonly ahead: number
  readonly chosen: string
  readonly onShow: (id: string) => void
}

export type RequestModel = Pick<RequestRow, 'model' | 'askedModel' | 'vendor' | 'keyName'>
export const getServedModel = (row: RequestModel) => row.model || row.askedModel || '–'

export function RequestModelName({ row }: { readonly row: RequestModel }) {
  const t = useTexts(gatewayTexts)
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <VendorDot vendor={row.vendor} />
        <code className="num min-w-0 text-13 font-medium [overflow-wrap:anywhere] whitespace-normal">{getServedModel(row)}</code>
      </span>
      <span className="block max-w-64 truncate pl-4 text-12 text-fg-3">
        {row.keyName}
        {row.model && row.askedModel ? ` · ${t('callAskedFor', { model: row.askedModel })}` : ''}
      </span>
    </>
  )
}

/** Today's calls by their second, earlier ones with their day. */
export const formatRequestTime = (at: string) =>
  toShanghaiDay(Date.parse(at)) === toShanghaiDay(Date.now()) ? displayTime(at, 'second').slice(11) : displayTime(at, 'second').slice(5)
