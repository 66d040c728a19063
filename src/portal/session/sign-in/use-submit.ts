import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'

/**
 * A form with a schema: errors beside the fields, focus on the first invalid one, and a double Enter submits once. `send` returns
 * the sentence of a refusal, or null.
 */
export function useSubmit<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  defaultValues: DefaultValues<Input>,
  send: (values: Output, form: UseFormReturn<Input, unknown, Output>) => Promise<string | null>,
  first: Path<Input>,
) {
  const form = useForm<Input, unknown, Output>({ resolver: zodResolver(schema), defaultValues, shouldFocusError: true })
  const [problem, setProblem] = useState<string | null>(null)
  const busy = form.formState.isSubmitting
  const onSubmit = form.handleSubmit(async (values) => {
    setProblem(null)
    const sentence = await send(values, form)
    setProblem(sentence)
    if (sentence) form.setFocus(first, { shouldSelect: true })
  })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (!busy) void onSubmit(event)
  }
  return {
    ...form,
    problem,
    busy,
    submit,
    message: (name: Path<Input>) => form.getFieldState(name, form.formState).error?.message,
  }
}
