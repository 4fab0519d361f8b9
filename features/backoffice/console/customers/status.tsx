import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import { customerTexts } from './texts.ts'

export function Status({ status }: { readonly status: string }) {
  const t = useTexts(customerTexts)
  const words = customerTexts.zh as Readonly<Record<string, string>>
  return (
    <Badge tone={status === 'frozen' ? 'danger' : status === 'active' ? 'success' : 'neutral'}>
      {`status_${status}` in words ? t(`status_${status}` as 'status_active') : status}
    </Badge>
  )
}
