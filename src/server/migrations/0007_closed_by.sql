-- Who closed an invoice by hand: it stays closed whatever its money does. Null where it closed by itself.
alter table invoices add column closed_by text, add column closed_by_name text;

-- What is closed now, and was last closed by a person.
update invoices set closed_by = closing.actor_id, closed_by_name = closing.actor_name
from (
  select distinct on (entity_id) entity_id, actor_id, actor_name, intent from audit_events
  where entity = 'invoice' and before ->> 'status' is distinct from after ->> 'status'
    and 'CLOSED' in (before ->> 'status', after ->> 'status')
  order by entity_id, id desc
) closing
where closing.intent = 'invoice.close' and invoices.id::text = closing.entity_id and invoices.status = 'CLOSED';
