import { useTexts } from '#platform/web/i18n.ts'
import type { AutoMethod } from '../../contract-auto.ts'
import { autoTexts } from '../../texts-auto.ts'
import { formatFeeTerms } from '../fee-words.ts'
import { toAutoMethodKey } from './auto-form.ts'

interface Props {
  readonly methods: readonly AutoMethod[]
  readonly chosen: AutoMethod
  readonly onChoose: (method: AutoMethod) => void
}

/** The payment methods that can be stored, as radio cards. */
export function AutoMethods({ methods, chosen, onChoose }: Props) {
  const t = useTexts(autoTexts)
  return (
    <fieldset>
      <legend className="mb-1.5 text-14 font-medium">{t('auto_methods')}</legend>
      <div className="grid grid-cols-2 gap-2">
        {methods.map((method) => {
          const checked = toAutoMethodKey(method) === toAutoMethodKey(chosen)
          return (
            <label
              key={toAutoMethodKey(method)}
              className={`flex min-h-14 cursor-pointer items-center gap-3 rounded-control border px-3 py-2 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-brand ${checked ? 'border-brand bg-brand-soft' : 'border-control hover:border-fg-3'}`}
            >
              <input type="radio" name="auto-method" className="sr-only" checked={checked} onChange={() => onChoose(method)} />
              <img src={method.img} alt="" width={28} height={28} className="shrink-0" />
              <span className="min-w-0">
                <span className="block text-14 leading-5 font-medium">{method.name}</span>
                <span className="block text-12 text-fg-3">{t('auto_fee', { fee: formatFeeTerms(method) })}</span>
              </span>
            </label>
          )
        })}
      </div>
      {chosen.everyDays ? <p className="mt-2 text-12 text-fg-3">{t('auto_every', { days: chosen.everyDays })}</p> : null}
    </fieldset>
  )
}
