import { useTexts } from '#platform/web/i18n.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { accessTexts } from './texts.ts'

export function CodeList({ codes }: { readonly codes: readonly string[] }) {
  const t = useTexts(accessTexts)
  return (
    <div className="rounded-control bg-sunken p-3">
      <ul className="num grid grid-cols-2 gap-x-4 gap-y-1 text-14">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} label={t('copyCodes')} className="mt-3" />
    </div>
  )
}
