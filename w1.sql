drop index audit.entries_of_entity; create index entries_of_entity on audit.entries (entity_id, occurred_at);
