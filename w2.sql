drop index audit.entries_of_entity; create index entries_of_entity on audit.entries (entity_id, occurred_at);
drop index audit.entries_newest; create index entries_newest on audit.entries (tenant_id, occurred_at);
drop index audit.entries_refused;drop index audit.entries_event;
