-- The comparison with what was live before: JSON, made when the revision was published. Null where nothing was compared,
-- as in every row of version 0.1.
ALTER TABLE revisions ADD COLUMN compatibility TEXT;
